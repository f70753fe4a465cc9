// Package kubelet asks the node's kubelet what it has given to containers and what it runs with.
//
// It only reads. Every answer is bounded in bytes and time.
package kubelet

// Reason says in one word why the kubelet has not answered as expected. Conditions of a SparkNodeTopology use these words.
type Reason string

const (
	// NotFound: nothing is at the configured path or port, because the feature is off or the path is wrong.
	NotFound Reason = "NotFound"
	// Forbidden: the kubelet or the kernel refuses access, and will do so again.
	Forbidden Reason = "Forbidden"
	// Untrusted: the two sides do not trust each other's certificates.
	Untrusted Reason = "Untrusted"
	// Unreachable: nobody listens or the connection broke, most often because the kubelet restarts.
	Unreachable Reason = "Unreachable"
	// TimedOut: no complete answer came in time.
	TimedOut Reason = "TimedOut"
	// BadAnswer: the agent does not understand the answer, or the kubelet reports an error.
	BadAnswer Reason = "BadAnswer"
)

// Reasons are all of them.
var Reasons = []Reason{NotFound, Forbidden, Untrusted, Unreachable, TimedOut, BadAnswer}

// Error says what was asked, what came, and what to do about it. It never carries the bearer token or the whole answer.
type Error struct {
	Reason  Reason
	Message string
}

func (e *Error) Error() string { return e.Message }
