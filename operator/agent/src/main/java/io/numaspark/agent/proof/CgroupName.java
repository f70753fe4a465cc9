package io.numaspark.agent.proof;

import java.util.Optional;

/**
 * Understands the names that the kubelet and the container runtimes give to cgroups.
 *
 * <p>The kubelet's are made in pkg/kubelet/cm: {@code CgroupName.ToSystemd}, {@code ToCgroupfs} and
 * {@code podContainerManagerImpl.GetPodContainerName}.
 */
final class CgroupName {
  private static final String SLICE = ".slice";
  private static final String SCOPE = ".scope";
  private static final String POD = "pod";

  /** All runtimes use 64 hexadecimal digits; half of that is no other file's name either. */
  private static final int SHORTEST_ID = 32;

  private CgroupName() {}

  /** Whether it is the cgroup of all pods. */
  static boolean isKubepods(String name) {
    return name.equals("kubepods")
        || name.equals("kubepods" + SLICE)
        || name.endsWith("-kubepods" + SLICE);
  }

  /** Whether it is the cgroup of all pods of a QoS class that has one. */
  static boolean isQosClass(String name) {
    return name.equals("burstable")
        || name.equals("besteffort")
        || name.endsWith("kubepods-burstable" + SLICE)
        || name.endsWith("kubepods-besteffort" + SLICE);
  }

  /** Whether it can be a cgroup: the names of the kernel's files have a dot and another end. */
  static boolean isCgroup(String name) {
    return name.indexOf('.') < 0
        || name.endsWith(SLICE)
        || name.endsWith(SCOPE)
        || name.endsWith(".service");
  }

  /** The UID if it is a pod's cgroup; systemd's names have _ for the - of a UID. */
  static Optional<String> podUid(String name) {
    String uid;
    if (name.endsWith(SLICE)) {
      int pod = name.lastIndexOf("-" + POD);
      if (pod < 0) {
        return Optional.empty();
      }
      uid = name.substring(pod + 1 + POD.length(), name.length() - SLICE.length());
      uid = uid.replace('_', '-');
    } else if (name.startsWith(POD)) {
      uid = name.substring(POD.length());
    } else {
      return Optional.empty();
    }
    return isHexadecimal(uid.replace("-", "")) ? Optional.of(uid) : Optional.empty();
  }

  /** The id if it is a container's cgroup; CRI-O's monitor of a container is none. */
  static Optional<String> containerId(String name) {
    String plain = name.endsWith(SCOPE) ? name.substring(0, name.length() - SCOPE.length()) : name;
    String id = plain.substring(plain.lastIndexOf('-') + 1);
    boolean container = isHexadecimal(id) && !plain.startsWith("crio-conmon-");
    return container ? Optional.of(id) : Optional.empty();
  }

  private static boolean isHexadecimal(String text) {
    if (text.length() < SHORTEST_ID) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.digit(text.charAt(i), 16) < 0) {
        return false;
      }
    }
    return true;
  }
}
