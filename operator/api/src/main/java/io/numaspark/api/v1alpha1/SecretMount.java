package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A Secret and the folder where it is mounted. */
public record SecretMount(
    @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Name of the Secret.") String name,
    @Required @Size(min = 1, max = 4096) @JsonPropertyDescription("Folder in the container.")
        String path,
    @Default("Generic")
        @JsonPropertyDescription(
            "GCPServiceAccount also sets GOOGLE_APPLICATION_CREDENTIALS to PATH/key.json, HadoopDelegationToken sets"
                + " HADOOP_TOKEN_FILE_LOCATION to PATH/hadoop.token; the others are mounted alone.")
        SecretType secretType) {

  /** What a Secret holds. */
  public enum SecretType {
    Generic,
    GCPServiceAccount,
    HadoopDelegationToken,
    KerberosKeytab
  }
}
