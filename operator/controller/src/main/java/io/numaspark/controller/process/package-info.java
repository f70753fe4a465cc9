/** The operator as a process: who of its replicas works, and whether it is well. */
package io.numaspark.controller.process;
