package smt

import (
	"testing"
)

func TestChangesOneValueAlone(t *testing.T) {
	for _, test := range []struct{ before, after string }{
		{"reservedSystemCPUs: 0,1", `reservedSystemCPUs: "x"`},
		{"a: ü\nreservedSystemCPUs: '0,1' # ü\nb: 1\n", "a: ü\nreservedSystemCPUs: \"x\" # ü\nb: 1\n"},
		{"{\"ü\": 1, \"reservedSystemCPUs\": \"0,1\", \"b\": [1]}", "{\"ü\": 1, \"reservedSystemCPUs\": \"x\", \"b\": [1]}"},
		{"{reservedSystemCPUs: 0}", `{reservedSystemCPUs: "x"}`},
		{"reservedSystemCPUs:\r\n  \"0,1\"\r\nb: 1\r\n", "reservedSystemCPUs:\r\n  \"x\"\r\nb: 1\r\n"},
		{"---\nb: {reservedSystemCPUs: 3}\nreservedSystemCPUs: 0\n", "---\nb: {reservedSystemCPUs: 3}\nreservedSystemCPUs: \"x\"\n"},
	} {
		got, err := withReserved([]byte(test.before), `"x"`)
		if err != nil || string(got) != test.after {
			t.Errorf("%q: %q %v", test.before, got, err)
		}
	}
}

func TestRefusesToGuess(t *testing.T) {
	for _, text := range []string{
		"", "a: 1", "- 1", "reservedSystemCPUs: &a 0", "reservedSystemCPUs: |\n  0", "reservedSystemCPUs: \"\\u0030\"",
		"reservedSystemCPUs: 0\nreservedSystemCPUs: 1", "a: &x 0\nreservedSystemCPUs: *x",
	} {
		if got, err := withReserved([]byte(text), `"x"`); err == nil {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestTheLastFileDecides(t *testing.T) {
	n := newNode(t)
	for name, text := range map[string]string{
		"/a": "reservedSystemCPUs: 0\nhealthzPort: 1\n",
		"/b": "reservedSystemCPUs: 2\nhealthzBindAddress: 0.0.0.0\n",
		"/c": "reservedSystemCPUs: null\n",
		"/d": "",
		"/e": "healthzPort: 0\n",
		"/f": "healthzPort: 7\nhealthzBindAddress: \"::1\"\n",
	} {
		n.files[name] = text
	}
	for _, test := range []struct {
		files                []string
		file, health, listed string
	}{
		{nil, "", "127.0.0.1:10248", ""},
		{[]string{"/a"}, "/a", "127.0.0.1:1", "0"},
		{[]string{"/a", "/b", "/d"}, "/b", "127.0.0.1:1", "2"},
		{[]string{"/a", "/b", "/c"}, "", "127.0.0.1:1", ""},
		{[]string{"/c", "/a", "/e"}, "/a", "", "0"},
		{[]string{"/f"}, "", "[::1]:7", ""},
	} {
		got, err := readConfig(n, test.files)
		if err != nil || got.file != test.file || got.health != test.health {
			t.Errorf("%v: %+v %v", test.files, got, err)
		}
		if got.file != "" && got.reserved.String() != test.listed {
			t.Errorf("%v: %s", test.files, got.reserved)
		}
	}
}

func TestReadsTheKubeletsCommandLine(t *testing.T) {
	flags := flagsOf([]string{"--config=/a", "--config-dir", "/b", "-v=2", "--fail-swap-on", "--root_dir", "/c", "rest"})
	for name, want := range map[string]string{"config": "/a", "config-dir": "/b", "root-dir": "/c", "v": "2"} {
		if flags[name] != want {
			t.Errorf("--%s is %q", name, flags[name])
		}
	}
	k := kubelet{flags: flags, folder: "/run"}
	if got := k.stateFiles()[0]; got != "/c/cpu_manager_state" {
		t.Error(got)
	}
	k.flags["config"] = "kubelet.yaml"
	if got := k.path("config"); got != "/run/kubelet.yaml" {
		t.Error(got)
	}
}

func TestFindsTheServiceOfAProcess(t *testing.T) {
	for groups, want := range map[string]string{
		"0::/system.slice/kubelet.service\n":                            "kubelet.service",
		"0::/system.slice/snap.kubelet.daemon.service/sub\n":            "snap.kubelet.daemon.service",
		"12:cpu:/x\n1:name=systemd:/system.slice/kubelet.service\n":     "kubelet.service",
		"0::/system.slice/docker-0.scope/kubelet.slice/kubelet.service": "",
		"0::/kubepods.slice/x.slice/cri-1.scope":                        "",
		"0::/user.slice":                                                "",
		"nonsense":                                                      "",
	} {
		if got := unitOf(groups); got != want {
			t.Errorf("%q: %q", groups, got)
		}
	}
}
