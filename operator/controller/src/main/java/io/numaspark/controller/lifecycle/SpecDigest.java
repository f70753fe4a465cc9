package io.numaspark.controller.lifecycle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkTrialSpec;
import io.numaspark.schema.NullFields;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A digest of those fields of a spec whose change starts the application again: all but suspend,
 * timeToLiveSeconds and restartPolicy.
 *
 * <p>Absent and null are the same, and so are all orders of keys.
 */
public final class SpecDigest {
  private static final int HEX_DIGITS = 32;
  private static final List<String> WITHOUT_EFFECT =
      List.of("suspend", "startPriority", "timeToLiveSeconds", "restartPolicy");
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private SpecDigest() {}

  /** The digest as 32 hexadecimal digits. */
  public static String of(SparkApplicationSpec spec) {
    return ofSpec(spec);
  }

  /** The digest of what a trial measures. */
  public static String of(SparkTrialSpec spec) {
    return ofSpec(spec);
  }

  private static String ofSpec(Object spec) {
    try {
      ObjectNode tree = JSON.valueToTree(spec);
      WITHOUT_EFFECT.forEach(tree::remove);
      NullFields.drop(tree, "");
      // Through Java's maps, because a tree keeps the order of the user's own parts.
      Object sorted = JSON.treeToValue(tree, Object.class);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(JSON.writeValueAsBytes(sorted));
      return HexFormat.of().formatHex(digest).substring(0, HEX_DIGITS);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a spec that was read as JSON can be written as JSON", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
