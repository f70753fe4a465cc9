package io.numaspark.trial.verdict;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.statistics.Interval;
import io.numaspark.trial.statistics.PairedRatios;
import java.util.Optional;

/**
 * What was measured of an arm.
 *
 * @param rounds that count and have both this arm and the baseline
 * @param failed of its runs in rounds that count
 * @param ratios of its times to the baseline's; empty without a round
 * @param interval of the ratio, wide enough for all candidates together; empty with less than two
 *     rounds
 * @param reason of the verdict, a sentence
 */
public record ArmResult(
    Arm arm,
    int rounds,
    int failed,
    Optional<PairedRatios> ratios,
    Optional<Interval> interval,
    Verdict verdict,
    String reason) {}
