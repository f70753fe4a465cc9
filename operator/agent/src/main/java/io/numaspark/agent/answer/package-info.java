/** What the kubelet and the API server answer over HTTPS, bounded in bytes, time and depth. */
package io.numaspark.agent.answer;
