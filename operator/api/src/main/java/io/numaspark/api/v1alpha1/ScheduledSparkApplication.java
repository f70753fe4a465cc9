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

/** A SparkApplication that is run again and again by a calendar; namespaced. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Categories(ApiGroup.CATEGORY)
@ShortNames("nssched")
@JsonClassDescription(
    "A ScheduledSparkApplication creates a SparkApplication from its template at the times of a cron schedule.")
@AdditionalPrinterColumn(name = "Schedule", jsonPath = ".spec.schedule", type = Type.STRING)
@AdditionalPrinterColumn(name = "Time Zone", jsonPath = ".spec.timeZone", type = Type.STRING)
@AdditionalPrinterColumn(name = "Suspend", jsonPath = ".spec.suspend", type = Type.BOOLEAN)
@AdditionalPrinterColumn(name = "State", jsonPath = ".status.scheduleState", type = Type.STRING)
@AdditionalPrinterColumn(name = "Last Run", jsonPath = ".status.lastRun", type = Type.DATE)
@AdditionalPrinterColumn(
    name = "Last Run Name",
    jsonPath = ".status.lastRunName",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Next Run", jsonPath = ".status.nextRun", type = Type.STRING)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@ValidationRule(
    value = "self.metadata.name.size() <= 52",
    message =
        "metadata.name: the names of runs append 11 characters to it and may have 63, so at most 52 are allowed")
public class ScheduledSparkApplication
    extends CustomResource<ScheduledSparkApplicationSpec, ScheduledSparkApplicationStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;
}
