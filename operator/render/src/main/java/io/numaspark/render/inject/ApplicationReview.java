package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.inject.InjectionRecord.Standing;
import io.numaspark.render.inject.InjectionResult.Injected;
import io.numaspark.render.inject.InjectionResult.Refused;
import io.numaspark.render.inject.PinningOffer.None;
import io.numaspark.render.inject.PinningOffer.Usable;
import io.numaspark.render.inject.Review.Pinned;
import io.numaspark.render.inject.Review.Unchanged;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides about an application of another operator while it is created or changed.
 *
 * <p>Its operator starts an application anew when its spec changes, so a change never brings a new
 * plan: the shape stays that of the creation until its author wants other executors. What the
 * author applies again from the same manifest gets the same values again.
 *
 * @param offers of a profile, by its name
 */
public record ApplicationReview(Function<String, PinningOffer> offers) {

  /**
   * A new application.
   *
   * @param profile that it is to have
   * @throws IllegalArgumentException for another version of the kind
   */
  public Review created(ObjectNode object, String profile) {
    ObjectNode tree = (ObjectNode) InjectionRecord.normal(object);
    String record = InjectionNotes.of(tree, InjectionRecord.ANNOTATION);
    try {
      if (!record.isEmpty() && !recorded(record).profile().equals(profile)) {
        return new Unchanged(); // Somebody has decided for another profile.
      }
      return injected(tree, tree, profile);
    } catch (IllegalArgumentException e) {
      return InjectionNotes.left(tree, List.of(e.getMessage()));
    }
  }

  /**
   * A changed application.
   *
   * @param before as it is in the store
   */
  public Review changed(ObjectNode before, ObjectNode after, String profile) {
    ObjectNode old = (ObjectNode) InjectionRecord.normal(before);
    ObjectNode tree = (ObjectNode) InjectionRecord.normal(after);
    String text = InjectionNotes.of(old, InjectionRecord.ANNOTATION);
    String now = InjectionNotes.of(tree, InjectionRecord.ANNOTATION);
    if (old.path("spec").equals(tree.path("spec"))) {
      return new Unchanged();
    }
    try {
      if (!now.isEmpty() && !now.equals(text)) {
        return new Unchanged(); // Written by somebody else, with the values that belong to it.
      }
      if (text.isEmpty()) {
        return wish(old).equals(wish(tree)) ? new Unchanged() : injected(tree, tree, profile);
      }
      return changed(old, tree, recorded(text));
    } catch (IllegalArgumentException e) {
      return InjectionNotes.left(tree, List.of(e.getMessage()));
    }
  }

  private Review changed(ObjectNode old, ObjectNode tree, InjectionRecord record) {
    Standing standing = record.standing(tree);
    ObjectNode unmarked = tree.deepCopy();
    InjectionNotes.remove(unmarked);
    if (standing == Standing.EDITED) {
      return injected(tree, unmarked, record.profile());
    }
    if (standing == Standing.APPLIED_AGAIN) {
      record.takeAdditionsFrom(unmarked);
      return injected(tree, unmarked, record.profile());
    }
    ObjectNode original = old.deepCopy();
    InjectionNotes.remove(original);
    record.takeFrom(original);
    record.takeFrom(unmarked);
    if (!wish(original).equals(wish(unmarked))) {
      return injected(tree, unmarked, record.profile());
    }
    if (offers.apply(record.profile()) instanceof Usable usable) {
      List<String> refusals = usable.injection().refusals(manifest(unmarked));
      if (!refusals.isEmpty()) {
        return InjectionNotes.left(unmarked, refusals);
      }
    }
    Optional<ObjectNode> kept = record.onto(unmarked, original);
    if (kept.isEmpty()) {
      return injected(tree, unmarked, record.profile());
    }
    ObjectNode result = kept.get();
    manifest(result)
        .mark()
        .write(result, InjectionRecord.between(record.profile(), unmarked, result).text());
    InjectionNotes.summarize(result, InjectionNotes.of(old, InjectionNotes.SUMMARY));
    return result.equals(tree) ? new Unchanged() : new Pinned(result, List.of());
  }

  /**
   * Injects anew.
   *
   * @param tree as it was sent
   * @param unmarked the same, with what the next injection is to start from
   */
  private Review injected(ObjectNode tree, ObjectNode unmarked, String profile) {
    PinningOffer offer = offers.apply(profile);
    if (offer instanceof None none) {
      return InjectionNotes.left(unmarked, List.of(none.why()));
    }
    InjectionResult result = ((Usable) offer).injection().into(manifest(unmarked));
    if (result instanceof Refused refused) {
      return InjectionNotes.left(unmarked, refused.reasons());
    }
    Injected injected = (Injected) result;
    ObjectNode object = injected.tree();
    InjectionNotes.summarize(object, injected.summary());
    if (!InjectionNotes.fit(object)) {
      return InjectionNotes.left(
          unmarked,
          List.of("metadata.annotations: have no room for what is injected; remove some of them"));
    }
    return object.equals(tree) ? new Unchanged() : new Pinned(object, injected.warnings());
  }

  private static RequestedExecutors wish(ObjectNode tree) {
    return RequestedExecutors.of(manifest(tree));
  }

  private static InjectionRecord recorded(String text) {
    return InjectionRecord.parse("metadata.annotations." + InjectionRecord.ANNOTATION, text);
  }

  private static ForeignManifest manifest(ObjectNode tree) {
    String apiVersion = tree.path("apiVersion").asText();
    String kind = tree.path("kind").asText();
    return ForeignManifest.of(apiVersion, kind, tree)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind: %s of %s is not known".formatted(kind, apiVersion)));
  }
}
