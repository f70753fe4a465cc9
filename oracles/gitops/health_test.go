package gitops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const (
	golden = "../../operator/controller/src/test/resources/golden/gitops"
	argo   = "../../deploy/argo-cd"
)

// example is an object as the operator leaves it, and what a test of the operator expects of the tools.
type example struct {
	file, kstatus, argo string
	object              *unstructured.Unstructured
}

// examples reads expected.tsv: file, word of kstatus, word of Argo CD.
func examples(t *testing.T) []example {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(read(t, filepath.Join(golden, "expected.tsv"))), "\n")
	if len(lines) < 20 {
		t.Fatalf("%d examples; there were more than 20", len(lines))
	}
	var all []example
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		text, err := yaml.YAMLToJSON([]byte(read(t, filepath.Join(golden, fields[0]))))
		if err != nil {
			t.Fatal(err)
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(text); err != nil {
			t.Fatal(err)
		}
		all = append(all, example{fields[0], fields[1], fields[2], object})
	}
	return all
}

func TestKstatus(t *testing.T) {
	for _, one := range examples(t) {
		t.Run(one.file, func(t *testing.T) {
			result, err := status.Compute(one.object)
			if err != nil {
				t.Fatal(err)
			}
			if result.Status.String() != one.kstatus {
				t.Errorf("kstatus says %s (%s), the operator's test %s", result.Status, result.Message, one.kstatus)
			}
		})
	}
}

func TestArgoCD(t *testing.T) {
	script := read(t, filepath.Join(argo, "health.lua"))
	for _, one := range examples(t) {
		t.Run(one.file, func(t *testing.T) {
			health, message := judge(t, script, one.object.Object)
			if health != one.argo {
				t.Errorf("the script says %s (%s), the operator's test %s", health, message, one.argo)
			}
		})
	}
}

// Fields that a status may lack, and a spec that is newer than the status.
func TestArgoCDWithoutAStatus(t *testing.T) {
	script := read(t, filepath.Join(argo, "health.lua"))
	for name, text := range map[string]string{
		"no status":       "metadata: {generation: 1}",
		"no conditions":   "{metadata: {generation: 1}, status: {observedGeneration: 1}}",
		"no Ready":        "{metadata: {generation: 1}, status: {conditions: [{type: Pinned, status: 'True', reason: r, message: m}]}}",
		"older status":    "{metadata: {generation: 2}, status: {observedGeneration: 1, conditions: [{type: Ready, status: 'True', reason: r, message: m}]}}",
		"one that starts": "{metadata: {generation: 1}, status: {observedGeneration: 1, conditions: [{type: Ready, status: 'False', reason: r, message: m}]}}",
	} {
		t.Run(name, func(t *testing.T) {
			object := map[string]any{}
			if err := yaml.Unmarshal([]byte(text), &object); err != nil {
				t.Fatal(err)
			}
			if health, message := judge(t, script, object); health != "Progressing" || message == "" {
				t.Errorf("%s, %q", health, message)
			}
		})
	}
}

// The ConfigMap has the script for each kind that the operator writes conditions of.
func TestArgoCDsConfigMapHasTheScript(t *testing.T) {
	script := read(t, filepath.Join(argo, "health.lua"))
	var config struct {
		Data map[string]string `json:"data"`
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(argo, "argocd-cm.yaml"))), &config); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, one := range examples(t) {
		kinds[one.object.GetKind()] = true
	}
	if len(config.Data) != len(kinds) {
		t.Errorf("%d scripts for %d kinds", len(config.Data), len(kinds))
	}
	for kind := range kinds {
		if config.Data["resource.customizations.health.numaspark.io_"+kind] != script {
			t.Errorf("the script of %s is not health.lua", kind)
		}
	}
}

// judge runs a script as Argo CD does: with the object as obj, and without libraries that reach out of it.
func judge(t *testing.T, script string, object map[string]any) (health, message string) {
	t.Helper()
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	state.Push(state.NewFunction(lua.OpenBase))
	state.Push(lua.LString(lua.BaseLibName))
	state.Call(1, 0)
	state.SetGlobal("obj", value(state, object))
	if err := state.DoString(script); err != nil {
		t.Fatal(err)
	}
	answer, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		t.Fatalf("the script returns %s", state.Get(-1).Type())
	}
	return answer.RawGetString("status").String(), answer.RawGetString("message").String()
}

func value(state *lua.LState, of any) lua.LValue {
	switch of := of.(type) {
	case map[string]any:
		table := state.NewTable()
		for key, field := range of {
			table.RawSetString(key, value(state, field))
		}
		return table
	case []any:
		table := state.NewTable()
		for _, entry := range of {
			table.Append(value(state, entry))
		}
		return table
	case string:
		return lua.LString(of)
	case bool:
		return lua.LBool(of)
	case float64:
		return lua.LNumber(of)
	case int64:
		return lua.LNumber(of)
	default:
		return lua.LNil
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
