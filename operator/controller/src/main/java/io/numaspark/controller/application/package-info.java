/** The life of an application carried out: preparation, submission, observation, end. */
package io.numaspark.controller.application;
