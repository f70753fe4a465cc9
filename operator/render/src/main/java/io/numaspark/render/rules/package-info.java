/** What an application may not ask for, and what it should know of its own fields. */
package io.numaspark.render.rules;
