package pages

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var (
	now     = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	longAgo = now.Add(-time.Hour)
	// ample is enough for every test's folders at once, and always due.
	ample = limits{entries: 100_000, time: time.Minute}
)

// The test program is also the process that holds a lock or a lease, as an executor or a tenant does.
func TestMain(m *testing.M) {
	switch os.Getenv("PAGES_HOLD") {
	case "lock":
		hold(unix.F_SETLK)
	case "lease":
		hold(unix.F_SETLEASE)
	}
	os.Exit(m.Run())
}

func hold(command int) {
	file, err := os.OpenFile(os.Getenv("PAGES_FILE"), os.O_RDWR, 0)
	if err == nil && command == unix.F_SETLK {
		err = unix.FcntlFlock(file.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK})
	} else if err == nil {
		_, err = unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_WRLCK)
	}
	fmt.Println("held", err == nil)
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the test ends it
	os.Exit(0)
}

func holder(t *testing.T, kind, file string) (release func()) {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), "PAGES_HOLD="+kind, "PAGES_FILE="+file)
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	release = func() {
		in.Close()
		_ = process.Wait()
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held true\n" {
		release()
		t.Skipf("no %s can be taken here", kind)
	}
	return release
}

// root is on a tmpfs if there is one, as on a node.
func newRoot(t *testing.T) string {
	root, err := os.MkdirTemp("/dev/shm", "pages")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		// Folders may be too deep for a library, and closed.
		if said, err := exec.Command("rm", "-rf", root).CombinedOutput(); err != nil {
			t.Error(string(said))
		}
	})
	return root
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func touch(t *testing.T, path string, changed time.Time) string {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, nil, 0o644))
	must(t, os.Chtimes(path, changed, changed))
	return path
}

// executor makes the folder of one, changed then.
func executor(t *testing.T, root, id string, changed time.Time) string {
	t.Helper()
	folder := filepath.Join(root, "app-1/app-1", id)
	touch(t, filepath.Join(folder, "lock"), changed)
	touch(t, filepath.Join(folder, "shuffle_0/pages"), changed)
	must(t, os.Chtimes(folder, changed, changed))
	return folder
}

func look(root string, namespaces ...string) *Sweeper {
	s := newSweeper(root, namespaces, ample, slog.New(slog.DiscardHandler))
	s.Look(now)
	return s
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func expect(t *testing.T, there bool, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if exists(path) != there {
			t.Errorf("%s: there %v, want %v", path, !there, there)
		}
	}
}

func TestEveryUserMayMakeFoldersInThatOfANamespace(t *testing.T) {
	root := newRoot(t)
	for range 2 {
		look(root, "jobs")
		info, err := os.Stat(filepath.Join(root, "jobs"))
		must(t, err)
		if info.Mode() != os.ModeDir|os.ModeSticky|0o777 {
			t.Error(info.Mode())
		}
		must(t, os.Chmod(filepath.Join(root, "jobs"), 0o700))
	}
}

func TestWhatADeadExecutorLeftIsDeleted(t *testing.T) {
	root := newRoot(t)
	jobs := filepath.Join(root, "jobs")
	executor(t, jobs, "7", longAgo)
	executor(t, jobs, "8", longAgo)
	other := executor(t, filepath.Join(root, "other"), "7", longAgo)
	look(root, "jobs")
	expect(t, false, filepath.Join(jobs, "app-1/app-1"))
	expect(t, true, other) // of a namespace that is not set up
}

// Kubernetes may have mounted it into a pod that still starts.
func TestTheMountedFolderStaysForADay(t *testing.T) {
	root := newRoot(t)
	mounted := filepath.Join(root, "jobs/app-1")
	must(t, os.MkdirAll(mounted, 0o755))
	for age, there := range map[time.Duration]bool{23 * time.Hour: true, 25 * time.Hour: false} {
		must(t, os.MkdirAll(mounted, 0o755))
		must(t, os.Chtimes(mounted, now, now.Add(-age)))
		look(root, "jobs")
		expect(t, there, mounted)
	}
}

func TestAnExecutorThatHasJustMadeItsFolderIsLeftAlone(t *testing.T) {
	root := newRoot(t)
	young := executor(t, filepath.Join(root, "jobs"), "7", now.Add(-9*time.Minute))
	look(root, "jobs")
	expect(t, true, filepath.Join(young, "shuffle_0/pages"))
}

func TestAnExecutorThatHoldsItsLockIsLeftAlone(t *testing.T) {
	root := newRoot(t)
	living := executor(t, filepath.Join(root, "jobs"), "7", longAgo)
	release := holder(t, "lock", filepath.Join(living, "lock"))
	look(root, "jobs")
	expect(t, true, filepath.Join(living, "shuffle_0/pages"))
	release()
	look(root, "jobs")
	expect(t, false, living)
}

// To open a file with a lease waits for its holder, by default up to 45 seconds, unless one does not wait.
func TestWhoHoldsALeaseOfALockKeepsNobodyWaiting(t *testing.T) {
	root := newRoot(t)
	leased := executor(t, filepath.Join(root, "jobs"), "7", longAgo)
	others := executor(t, filepath.Join(root, "others"), "7", longAgo)
	stray := touch(t, filepath.Join(root, "jobs/stray"), longAgo)
	release := holder(t, "lease", filepath.Join(leased, "lock"))
	s := look(root, "jobs", "others")
	release()
	expect(t, true, leased)
	expect(t, false, others, stray)
	if troubled, _ := s.Troubled(); !reflect.DeepEqual(troubled, []string{"jobs"}) {
		t.Error(troubled)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	root, elsewhere := newRoot(t), t.TempDir()
	victim := touch(t, filepath.Join(elsewhere, "7/victim"), longAgo)
	dead := executor(t, filepath.Join(root, "jobs"), "7", longAgo)
	for _, link := range []string{"app-1/app-1/7/link", "app-1/app-1/8", "app-1/app-2", "app-2"} {
		must(t, os.Symlink(elsewhere, filepath.Join(root, "jobs", link)))
	}
	must(t, os.Remove(filepath.Join(dead, "lock")))
	must(t, os.Symlink(victim, filepath.Join(dead, "lock")))
	must(t, os.Chtimes(dead, longAgo, longAgo))
	look(root, "jobs")
	expect(t, false, dead)
	expect(t, true, victim)
}

// Opening a pipe would wait for the other side for ever.
func TestAPipeInThePlaceOfTheLockIsNotWaitedFor(t *testing.T) {
	root := newRoot(t)
	dead := executor(t, filepath.Join(root, "jobs"), "7", longAgo)
	must(t, os.Remove(filepath.Join(dead, "lock")))
	must(t, unix.Mkfifo(filepath.Join(dead, "lock"), 0o600))
	must(t, os.Chtimes(dead, longAgo, longAgo))
	look(root, "jobs")
	expect(t, false, dead)
}

func TestStraysGoByAgeWhateverTimeTheyClaim(t *testing.T) {
	root := newRoot(t)
	jobs := filepath.Join(root, "jobs")
	executor(t, jobs, "8", longAgo)
	touch(t, filepath.Join(jobs, "stray"), longAgo)
	touch(t, filepath.Join(jobs, "app-1/stray"), longAgo)
	touch(t, filepath.Join(jobs, "app-1/app-1/stray"), longAgo)
	touch(t, filepath.Join(jobs, "tomorrow"), now.Add(24*time.Hour))
	young := touch(t, filepath.Join(jobs, "young"), now.Add(-9*time.Minute))
	look(root, "jobs")
	expect(t, false, filepath.Join(jobs, "stray"), filepath.Join(jobs, "app-1/stray"), filepath.Join(jobs, "tomorrow"),
		filepath.Join(jobs, "app-1/app-1"))
	expect(t, true, young)
}

func TestANamespaceFullOfEntriesKeepsNoOtherWaiting(t *testing.T) {
	root := newRoot(t)
	hidden := executor(t, filepath.Join(root, "a"), "7", longAgo)
	for i := range 1000 {
		touch(t, filepath.Join(root, "a", fmt.Sprint("young-", i)), now)
	}
	other := executor(t, filepath.Join(root, "b"), "7", longAgo)
	s := newSweeper(root, []string{"a", "b"}, limits{entries: 50, time: time.Minute, period: time.Hour}, slog.New(slog.DiscardHandler))
	if pause := s.Look(now); pause >= time.Hour {
		t.Error("there is more to do, and it pauses for", pause)
	}
	expect(t, false, other)
	// It goes on where it ended, so that what comes last is found too.
	for range 30 {
		s.Look(now)
	}
	expect(t, false, hidden)
	expect(t, true, filepath.Join(root, "a/young-999"))
}

// An empty one waits for a pod for a day; so many cost the node memory that nobody is charged.
func TestMoreEmptyFoldersThanPodsCouldStartDoNotStayForADay(t *testing.T) {
	root := newRoot(t)
	look(root, "jobs")
	for i := range many + 1 {
		folder := filepath.Join(root, "jobs", fmt.Sprint("app-", i))
		must(t, os.Mkdir(folder, 0o755))
		must(t, os.Chtimes(folder, longAgo, longAgo))
	}
	s := look(root, "jobs")
	expect(t, true, filepath.Join(root, "jobs/app-0"))
	s.Look(now)
	if entries, err := os.ReadDir(filepath.Join(root, "jobs")); err != nil || len(entries) != 0 {
		t.Error(len(entries), err)
	}
}

func TestAnErrorEndsNothingAndIsReported(t *testing.T) {
	root := newRoot(t)
	jobs := filepath.Join(root, "jobs")
	inTheWay := touch(t, filepath.Join(root, ".jobs"), now)
	first := executor(t, jobs, "7", longAgo)
	executor(t, jobs, "8", longAgo)
	stray := touch(t, filepath.Join(jobs, "app-1/stray"), longAgo)
	other := executor(t, filepath.Join(root, "others"), "7", longAgo)
	var log strings.Builder
	s := newSweeper(root, []string{"jobs", "others"}, ample, slog.New(slog.NewTextHandler(&log, nil)))
	if _, known := s.Troubled(); known {
		t.Error("trouble is known before the first look")
	}
	s.Look(now)
	if troubled, known := s.Troubled(); !known || !reflect.DeepEqual(troubled, []string{"jobs"}) {
		t.Error(troubled, known)
	}
	if said := log.String(); !strings.Contains(said, ".jobs is in the way: it is not a folder; remove it") ||
		!strings.Contains(said, "deleted the folders of 1 dead executors, 0 strays") {
		t.Error(said)
	}
	expect(t, false, stray, other)
	must(t, os.Remove(inTheWay))
	s.Look(now)
	if troubled, _ := s.Troubled(); len(troubled) != 0 {
		t.Error(troubled)
	}
	expect(t, false, first)
}

// What an earlier run has moved there and not deleted.
func TestTheTrashOfAnEarlierRunIsEmptied(t *testing.T) {
	root := newRoot(t)
	touch(t, filepath.Join(root, ".jobs/0-1/a/b/c"), now)
	touch(t, filepath.Join(root, ".jobs/0-1/file"), now)
	look(root, "jobs")
	if entries, err := os.ReadDir(filepath.Join(root, ".jobs")); err != nil || len(entries) != 0 {
		t.Error(entries, err)
	}
}

func TestWhoStillWritesKeepsItFromNothing(t *testing.T) {
	root := newRoot(t)
	dead := executor(t, filepath.Join(root, "jobs"), "7", longAgo)
	s := newSweeper(root, []string{"jobs"}, limits{entries: 200, time: time.Minute}, slog.New(slog.DiscardHandler))
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			folder := filepath.Join(dead, fmt.Sprint("shuffle_", i%7))
			// Each may fail: it is deleted under our hands.
			_ = os.MkdirAll(folder, 0o755)
			_ = os.WriteFile(filepath.Join(folder, fmt.Sprint("pages-", i)), []byte("rows"), 0o644)
			_ = os.Chtimes(dead, longAgo, longAgo)
			_ = os.Rename(folder, filepath.Join(dead, fmt.Sprint("moved-", i)))
		}
	}()
	for range 20 {
		s.Look(now)
	}
	close(stop)
	<-ended
	_ = os.Chtimes(dead, longAgo, longAgo)
	sweepAll(t, s, root)
}

// sweepAll looks until nothing is left but the mounted folder and the place of what was deleted.
func sweepAll(t *testing.T, s *Sweeper, root string) {
	t.Helper()
	for range 5000 {
		s.Look(now)
		executors, _ := os.ReadDir(filepath.Join(root, "jobs/app-1"))
		trash, _ := os.ReadDir(filepath.Join(root, ".jobs"))
		if len(executors) == 0 && len(trash) == 0 {
			return
		}
	}
	troubled, _ := s.Troubled()
	t.Error("not swept; troubled:", troubled)
}

func TestAnyDepthAndAnyNumberIsSweptWithFewOpenFiles(t *testing.T) {
	root := newRoot(t)
	jobs := filepath.Join(root, "jobs")
	deepIn := executor(t, jobs, "8", longAgo)
	deep := filepath.Join(root, "deep")
	must(t, os.Mkdir(deep, 0o755))
	for range 10_000 {
		must(t, os.Mkdir(filepath.Join(root, "above"), 0o755))
		must(t, os.Rename(deep, filepath.Join(root, "above/d")))
		must(t, os.Rename(filepath.Join(root, "above"), deep))
	}
	must(t, os.Rename(deep, filepath.Join(deepIn, "deep")))
	wide := filepath.Join(executor(t, jobs, "9", longAgo), "wide")
	must(t, os.Mkdir(wide, 0o755))
	for i := range 100_000 {
		must(t, os.WriteFile(filepath.Join(wide, fmt.Sprint("entry-", i)), nil, 0o644))
	}
	for _, executor := range []string{"8", "9"} {
		must(t, os.Chtimes(filepath.Join(jobs, "app-1/app-1", executor), longAgo, longAgo))
	}
	s := New(root, []string{"jobs"}, slog.New(slog.DiscardHandler))
	s.sweeps[0].limits.period = 0
	sweepAll(t, s, root)
	if open, _ := os.ReadDir("/proc/self/fd"); len(open) > 30 {
		t.Error(len(open), "open files")
	}
}

func TestAnyNumberOfExecutorsAndOddNamesAndKindsOfEntriesGo(t *testing.T) {
	root := newRoot(t)
	executor(t, filepath.Join(root, "jobs"), "8", longAgo)
	script := exec.Command("bash", "-ec", `
		cd "$0/jobs/app-1/app-1"
		for i in $(seq 3000); do mkdir "dead-$i"; done
		cd 8
		mkdir $'new\nline' $'not-\xff\xfe-utf8' closed
		touch $'new\nline/2026-01-01T00:00:00Z ERROR forged' $'not-\xff\xfe-utf8/\xe4' closed/file
		chmod 000 closed
		ln -s /etc link
		ln lock hard
		mkfifo pipe
		touch $'../../a\nstray' ../../../stray
		find ../../.. -exec touch --no-dereference --date='2026-01-01T23:00:00Z' {} +`, root)
	if said, err := script.CombinedOutput(); err != nil {
		t.Fatal(string(said))
	}
	s := newSweeper(root, []string{"jobs"}, ample, slog.New(slog.DiscardHandler))
	sweepAll(t, s, root)
	expect(t, false, filepath.Join(root, "jobs/stray"))
}

// In a mount name space of its own, where who runs this may have one.
func TestAFullFileSystemIsSwept(t *testing.T) {
	if os.Getenv("PAGES_FULL") == "" {
		root := newRoot(t)
		again := exec.Command("unshare", "-rm", "sh", "-ec", `mount -t tmpfs -o size=512k,nr_inodes=200 tmpfs "$PAGES_FULL"; exec "$0" -test.run "$1"`,
			os.Args[0], "^"+t.Name()+"$")
		again.Env = append(os.Environ(), "PAGES_FULL="+root)
		said, err := again.CombinedOutput()
		if err != nil && !strings.Contains(string(said), "--- FAIL") {
			t.Skipf("no tmpfs can be mounted here: %s", said)
		}
		if err != nil {
			t.Error(string(said))
		}
		return
	}
	root := os.Getenv("PAGES_FULL")
	s := look(root, "jobs")
	dead := executor(t, filepath.Join(root, "jobs"), "7", longAgo)
	var err error
	block := make([]byte, 64<<10)
	for i := 0; err == nil; i++ {
		if i > 10 {
			block = nil
		}
		err = os.WriteFile(filepath.Join(dead, fmt.Sprint("pages-", i)), block, 0o644)
	}
	must(t, os.Chtimes(dead, longAgo, longAgo))
	sweepAll(t, s, root)
}

// A mount point cannot be moved away, so that nothing behind one is deleted.
func TestNothingBehindAMountPointIsDeleted(t *testing.T) {
	if os.Getenv("PAGES_MOUNT") == "" {
		root := newRoot(t)
		again := exec.Command("unshare", "-rm", os.Args[0], "-test.run", "^"+t.Name()+"$")
		again.Env = append(os.Environ(), "PAGES_MOUNT="+root)
		said, err := again.CombinedOutput()
		if err != nil && !strings.Contains(string(said), "--- FAIL") {
			t.Skipf("nothing can be mounted here: %s", said)
		}
		if err != nil {
			t.Error(string(said))
		}
		return
	}
	root, elsewhere := os.Getenv("PAGES_MOUNT"), t.TempDir()
	victim := touch(t, filepath.Join(elsewhere, "victim"), longAgo)
	dead := executor(t, filepath.Join(root, "jobs"), "7", longAgo)
	behind := filepath.Join(dead, "shuffle_0/behind")
	must(t, os.Mkdir(behind, 0o755))
	must(t, unix.Mount(elsewhere, behind, "", unix.MS_BIND, ""))
	must(t, os.Chtimes(dead, longAgo, longAgo))
	s := look(root, "jobs")
	s.Look(now)
	expect(t, true, victim)
	if troubled, _ := s.Troubled(); len(troubled) != 1 {
		t.Error("nobody hears of it")
	}
	must(t, unix.Unmount(behindNow(t, root), unix.MNT_DETACH))
}

// behindNow is where the mount point is now.
func behindNow(t *testing.T, root string) string {
	found := ""
	_ = filepath.WalkDir(root, func(path string, entry os.DirEntry, _ error) error {
		if entry != nil && entry.Name() == "victim" {
			found = filepath.Dir(path)
		}
		return nil
	})
	if found == "" {
		t.Fatal("the mount point is gone")
	}
	return found
}
