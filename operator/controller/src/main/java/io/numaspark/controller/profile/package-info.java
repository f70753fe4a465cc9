/** Which nodes a profile has, and the plan that is made from them. */
package io.numaspark.controller.profile;
