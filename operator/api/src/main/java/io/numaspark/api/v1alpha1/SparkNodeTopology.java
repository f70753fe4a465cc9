package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * What one node is: hardware and the kubelet's resource managers; cluster-scoped and named after
 * the node.
 */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Plural("sparknodetopologies")
@Categories(ApiGroup.CATEGORY)
@ShortNames("nstopo")
@JsonClassDescription(
    "A SparkNodeTopology says what one node is: its NUMA nodes, cores and caches, and how its kubelet hands out CPUs and"
        + " memory. It has the node's name. The node agent writes it, or `numaspark topology` does.")
@AdditionalPrinterColumn(name = "CPU", jsonPath = ".spec.cpu.vendor", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "CPU-Policy",
    jsonPath = ".spec.kubelet.cpuManagerPolicy",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Topology-Policy",
    jsonPath = ".spec.kubelet.topologyManagerPolicy",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Reserved",
    jsonPath = ".spec.kubelet.reservedCpus",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Agent", jsonPath = ".status.heartbeat", type = Type.DATE)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public class SparkNodeTopology
    extends CustomResource<SparkNodeTopologySpec, SparkNodeTopologyStatus> {
  private static final long serialVersionUID = 1L;
}
