package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A Spark Connect server that runs until it is deleted; namespaced. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Categories(ApiGroup.CATEGORY)
@ShortNames("nsconn")
@JsonClassDescription(
    "A SparkConnect runs a Spark Connect server with executors that are pinned inside single NUMA nodes, and keeps it running."
        + " Clients reach it at status.server.endpoint.")
@AdditionalPrinterColumn(name = "State", jsonPath = ".status.state", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Endpoint",
    jsonPath = ".status.server.endpoint",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Executors",
    jsonPath = ".status.executors.running",
    type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Pinned", jsonPath = ".status.pinnedExecutors", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(
    name = "Profile",
    jsonPath = ".spec.nodeProfile",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Restarts",
    jsonPath = ".status.server.restarts",
    type = Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
    type = Type.STRING,
    priority = 1)
@ValidationRule(
    value = "self.metadata.name.matches('^[a-z]([-a-z0-9]{0,54}[a-z0-9])?$')",
    message =
        "metadata.name: its Service is called NAME-server, so it must start with a letter and have at most 56 lower-case"
            + " letters, digits and '-'")
public class SparkConnect extends CustomResource<SparkConnectSpec, SparkConnectStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;
}
