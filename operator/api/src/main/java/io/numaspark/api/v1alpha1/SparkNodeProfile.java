package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A kind of node and how Spark executors are cut from it; cluster-scoped. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Categories(ApiGroup.CATEGORY)
@ShortNames("nsprofile")
@JsonClassDescription(
    "A SparkNodeProfile describes a kind of node (sockets, NUMA nodes, SMT) and how it is split into small Spark"
        + " executors, each pinned inside one NUMA node.")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Nodes", jsonPath = ".status.nodes.usable", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Slots", jsonPath = ".status.slots.total", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Cores", jsonPath = ".status.executor.cores", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Heap", jsonPath = ".status.executor.heap", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@ValidationRule(
    value = "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$')",
    message =
        "metadata.name: it becomes part of a resource name on the nodes, so it must be a DNS label: at most 63 lower-case"
            + " letters, digits and '-'")
public class SparkNodeProfile extends CustomResource<SparkNodeProfileSpec, SparkNodeProfileStatus> {
  private static final long serialVersionUID = 1L;
}
