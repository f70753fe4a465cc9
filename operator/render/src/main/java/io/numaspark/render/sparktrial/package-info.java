/** SparkTrials as the engine of trials sees them: arms, designs, runs; without a client. */
package io.numaspark.render.sparktrial;
