package io.numaspark.trial.design;

/**
 * One variant of a trial.
 *
 * <p>Limit: how it is made is known only to what runs it.
 *
 * @param name unique in the trial; lower case letters, digits and dashes
 * @param changes how many settings differ from the baseline; of equally fast arms the one with the
 *     fewest is recommended
 */
public record Arm(String name, Role role, int changes) {

  public Arm {
    if (!name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
      throw new IllegalArgumentException(
          "arm '" + name + "': use lower case letters, digits and dashes, at most 63");
    }
  }

  public Arm(String name, Role role) {
    this(name, role, role == Role.CANDIDATE ? 1 : 0);
  }
}
