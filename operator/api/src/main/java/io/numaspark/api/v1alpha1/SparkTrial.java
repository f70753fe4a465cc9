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

/** An experiment: one SparkApplication in several variants, run in turn; namespaced. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Categories(ApiGroup.CATEGORY)
@ShortNames("nstrial")
@JsonClassDescription(
    "A SparkTrial runs a SparkApplication in variants on the nodes of one profile, which it has for itself meanwhile, and says whether"
        + " one of them is faster.")
@AdditionalPrinterColumn(
    name = "Profile",
    jsonPath = ".spec.template.nodeProfile",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase", type = Type.STRING)
@AdditionalPrinterColumn(name = "Done", jsonPath = ".status.rounds.done", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Rounds", jsonPath = ".status.rounds.planned", type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Minutes Left",
    jsonPath = ".status.remainingMinutes",
    type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Recommended",
    jsonPath = ".status.recommendation.arm",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Summary",
    jsonPath = ".status.summary",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@ValidationRule(
    value = "self.metadata.name.size() <= 32",
    message =
        "metadata.name: the names of runs append up to 31 characters to it and may have 63, so at most 32 are allowed")
public class SparkTrial extends CustomResource<SparkTrialSpec, SparkTrialStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;
}
