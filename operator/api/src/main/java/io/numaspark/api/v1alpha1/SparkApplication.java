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

/** A Spark application and its attempts; namespaced. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Categories(ApiGroup.CATEGORY)
@ShortNames("nsapp")
@JsonClassDescription(
    "A SparkApplication runs a Spark application. With spec.nodeProfile its executors are pinned inside single NUMA"
        + " nodes; without it the application is an ordinary one.")
@AdditionalPrinterColumn(
    name = "State",
    jsonPath = ".status.applicationState.state",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Profile", jsonPath = ".spec.nodeProfile", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Executors",
    jsonPath = ".status.executorCounts.running",
    type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Wanted",
    jsonPath = ".status.executorCounts.wanted",
    type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Pinned",
    jsonPath = ".status.executorCounts.pinned",
    type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Attempts",
    jsonPath = ".status.executionAttempts",
    type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Start",
    jsonPath = ".status.lastSubmissionAttemptTime",
    type = Type.DATE)
@AdditionalPrinterColumn(name = "Finish", jsonPath = ".status.terminationTime", type = Type.DATE)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Suspend",
    jsonPath = ".spec.suspend",
    type = Type.BOOLEAN,
    priority = 1)
@ValidationRule(
    value = "self.metadata.name.size() <= 63",
    message = "metadata.name: it becomes a label of the pods, so at most 63 characters are allowed")
public class SparkApplication extends CustomResource<SparkApplicationSpec, SparkApplicationStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;
}
