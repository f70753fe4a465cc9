package io.numaspark.render.driver;

import io.numaspark.render.application.Attempt;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import java.util.Optional;

/**
 * Services and Ingresses of the driver. {@link DriverEndpoints} has those of one attempt, and the
 * status and what is granted are read from it too.
 */
public final class WebAccess implements Concern {

  public static DriverEndpoints endpoints(Attempt attempt) {
    return new DriverEndpoints(attempt.spec(), attempt.identity(), attempt.policies().ui());
  }

  @Override
  public Optional<Refusal> refusal(Attempt attempt) {
    return endpoints(attempt).refusal();
  }

  @Override
  public Contribution contribution(Request request) {
    DriverEndpoints endpoints = endpoints(request.attempt());
    return Contribution.of(endpoints.settings()).withObjects(endpoints.objects());
  }
}
