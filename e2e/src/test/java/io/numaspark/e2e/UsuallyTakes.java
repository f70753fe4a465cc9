package io.numaspark.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** How long a test class takes in the lab while two idle CPUs run it; see {@link TimeBudget}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(TimeBudget.class)
@interface UsuallyTakes {
  int seconds();
}
