/**
 * What each controller watches: its event sources, which events concern which object, and reads of
 * their caches. The framework makes the sources after everything else, so a cache that it has not
 * made yet is empty, and what is to be reconciled before that is dropped: at its start every object
 * is reconciled.
 */
package io.numaspark.controller.watch;
