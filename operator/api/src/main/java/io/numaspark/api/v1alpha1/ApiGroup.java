package io.numaspark.api.v1alpha1;

/** Group, version and the keys derived from them that nodes and pods carry. */
public final class ApiGroup {
  public static final String NAME = "numaspark.io";
  public static final String VERSION = "v1alpha1";

  /** Of all kinds of the group, for {@code kubectl get numaspark}. */
  public static final String CATEGORY = "numaspark";

  /** Prefix of the extended resource that counts a profile's free executor slots on a node. */
  public static final String SLOT_RESOURCE_PREFIX = "slots." + NAME + "/";

  private ApiGroup() {}

  /** The extended resource of a profile, for example {@code slots.numaspark.io/dual-socket}. */
  public static String slotResource(String profileName) {
    return SLOT_RESOURCE_PREFIX + profileName;
  }
}
