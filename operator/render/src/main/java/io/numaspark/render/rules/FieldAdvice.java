package io.numaspark.render.rules;

import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * What an application should know of its own fields: those without effect, and what could be
 * better.
 */
public final class FieldAdvice implements Concern {

  @Override
  public Contribution contribution(Request request) {
    List<String> warnings =
        new ArrayList<>(FieldWarnings.of(request.spec(), request.policies().ui()));
    warnings.addAll(PodFieldWarnings.of(request.spec(), request.pods()));
    return Contribution.ofWarnings(List.copyOf(warnings));
  }

  @Override
  public Contribution completion(Request request, Whole whole) {
    return Contribution.ofWarnings(Advice.of(request, whole.properties()));
  }
}
