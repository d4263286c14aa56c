// SPDX-License-Identifier: Apache-2.0

//go:build unix

// Package slurm runs a one-node Slurm on the loopback interface, in a folder, for tests. It needs
// Debian's slurm-wlm and munge, and works for any user.
package slurm

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// programs are the programs that a Cluster starts, and the ones that its users type.
var programs = []string{"munged", "slurmctld", "slurmd", "sbatch", "scancel", "scontrol", "sinfo", "squeue"}

// Missing returns the programs that are not installed.
func Missing() (list []string) {
	for _, p := range programs {
		if _, err := find(p); err != nil {
			list = append(list, p)
		}
	}
	return list
}

// find also searches the folder of Debian's daemons, which is not in every user's PATH.
func find(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	return exec.LookPath(filepath.Join("/usr/sbin", program))
}

const (
	patience = 2 * time.Minute  // for each step of the start
	grace    = 10 * time.Second // for jobs and daemons to end
	// lifetime ends daemons that were left running, as after a test that ran out of time.
	lifetime = 10 * time.Minute
)

// MaxArray is the largest number of elements of an array job: fewer than a small sweep has tasks.
const MaxArray = 3

// Cluster is a Slurm that runs.
type Cluster struct {
	Env []string // of Command

	dir     string
	user    *syscall.Credential
	daemons []*daemon
}

// daemon is a program in the foreground, whose messages are in a file.
type daemon struct {
	name string
	cmd  *exec.Cmd
	over chan struct{}
}

// config allows four elements at a time, on any machine. If MinJobAge is below 5, sbatch checks
// every 2 s whether its job has ended. A restarted job waits until its credential has expired. An
// array has at most MaxArray elements.
const config = `ClusterName=sweep
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmdPort=%[3]d
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=%[4]s/munge/socket,cred_expire=5
SlurmUser=%[5]s
SlurmdUser=%[5]s
StateSaveLocation=%[4]s/state
SlurmdSpoolDir=%[4]s/spool
SlurmctldPidFile=%[4]s/slurmctld.pid
SlurmdPidFile=%[4]s/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
MinJobAge=4
MaxArraySize=%[6]d
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=4
PartitionName=all Nodes=ALL Default=YES State=UP
`

// Start starts a cluster in an empty folder, which it gives to the user, or to the present user if
// nil. It must be stopped, even after an error.
func Start(ctx context.Context, dir string, as *syscall.Credential) (*Cluster, error) {
	c := &Cluster{dir: dir, user: as}
	who, err := user.LookupId(strconv.Itoa(c.uid()))
	if err != nil {
		return c, fmt.Errorf("slurm: %w: Slurm runs jobs only for users that have a name", err)
	}
	host, err := os.Hostname()
	if err != nil {
		return c, fmt.Errorf("slurm: %w", err)
	}
	host, _, _ = strings.Cut(host, ".")
	ports, err := freePorts(2)
	if err != nil {
		return c, fmt.Errorf("slurm: %w", err)
	}
	conf := filepath.Join(dir, "slurm.conf")
	c.Env = environment(dir, conf)
	if err := errors.Join(c.own(dir), c.put("munge", nil, fs.ModeDir|0o700), c.put("state", nil, fs.ModeDir|0o700), c.put("spool", nil, fs.ModeDir|0o755)); err != nil {
		return c, err
	}
	key := make([]byte, 32)
	rand.Read(key) // never fails
	if err := errors.Join(
		c.put("munge/key", key, 0o400),
		c.put("slurm.conf", fmt.Appendf(nil, config, host, ports[0], ports[1], dir, who.Username, MaxArray), 0o644)); err != nil {
		return c, err
	}
	// munged considers a folder below /tmp unsafe without --force.
	in := func(name string) string { return filepath.Join(dir, "munge", name) }
	if err := c.start("munged", "--foreground", "--force", "--key-file="+in("key"), "--socket="+in("socket"),
		"--pid-file="+in("pid"), "--log-file="+in("log"), "--seed-file="+in("seed")); err != nil {
		return c, err
	}
	if err := c.until(ctx, "munge has no socket", func() bool {
		_, err := os.Stat(in("socket"))
		return err == nil
	}); err != nil {
		return c, err
	}
	if err := errors.Join(c.start("slurmctld", "-D"), c.start("slurmd", "-D")); err != nil {
		return c, err
	}
	return c, c.until(ctx, "the node is not idle", func() bool {
		out, err := c.Command(ctx, "sinfo", "-h", "-o", "%t").Output()
		return err == nil && string(bytes.TrimSpace(out)) == "idle"
	})
}

// put makes a file or folder of the user.
func (c *Cluster) put(name string, text []byte, mode fs.FileMode) error {
	name = filepath.Join(c.dir, name)
	var err error
	if mode.IsDir() {
		err = os.Mkdir(name, mode.Perm())
	} else {
		err = os.WriteFile(name, text, mode)
	}
	if err != nil {
		return fmt.Errorf("slurm: %w", err)
	}
	return c.own(name)
}

// own gives a file or folder to the user.
func (c *Cluster) own(name string) error {
	if c.user == nil {
		return nil
	}
	if err := os.Chown(name, int(c.user.Uid), int(c.user.Gid)); err != nil {
		return fmt.Errorf("slurm: %w", err)
	}
	return nil
}

// freePorts returns ports of the loopback interface that are free.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// environment returns this program's environment, without settings for another Slurm.
func environment(dir, conf string) (env []string) {
	for _, x := range os.Environ() {
		if !strings.HasPrefix(x, "SLURM_") && !strings.HasPrefix(x, "SBATCH_") {
			env = append(env, x)
		}
	}
	return append(env, "SLURM_CONF="+conf, "HOME="+dir)
}

// Command returns a command as the user types it on the cluster. It has its own process group.
func (c *Cluster) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	if path, err := find(program); err == nil {
		program = path
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = c.dir, c.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.user, Setpgid: true}
	return cmd
}

// start starts a daemon.
func (c *Cluster) start(program string, args ...string) error {
	path, err := find(program)
	if err != nil {
		return fmt.Errorf("slurm: %w", err)
	}
	seconds := strconv.Itoa(int(lifetime.Seconds()))
	cmd := c.Command(context.Background(), "timeout", append([]string{"--kill-after=10", seconds, path}, args...)...)
	log, err := os.Create(c.log(program))
	if err != nil {
		return fmt.Errorf("slurm: %w", err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("slurm: %w", err)
	}
	d := &daemon{program, cmd, make(chan struct{})}
	c.daemons = append(c.daemons, d)
	go func() {
		_ = cmd.Wait() // the messages contain the reason
		close(d.over)
	}()
	return nil
}

func (c *Cluster) log(program string) string { return filepath.Join(c.dir, program+".out") }

// until waits for a condition, as long as all daemons run; what describes the missing condition.
func (c *Cluster) until(ctx context.Context, what string, so func() bool) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for !so() {
		why := ""
		for _, d := range c.daemons {
			select {
			case <-d.over:
				why = d.name + " has ended: "
			default:
			}
		}
		if why == "" && ctx.Err() == nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		return fmt.Errorf("slurm: %s%s:%s", why, what, c.messages())
	}
	return nil
}

// messages returns the last ones of each daemon.
func (c *Cluster) messages() (text string) {
	for _, d := range c.daemons {
		b, err := os.ReadFile(c.log(d.name))
		if err != nil {
			b = []byte(err.Error())
		}
		lines := strings.Split(strings.TrimSpace(string(b)), "\n")
		text += "\n" + strings.Join(lines[max(0, len(lines)-5):], "\n")
	}
	return text
}

// Stop ends jobs and daemons.
func (c *Cluster) Stop() {
	ctx, stop := context.WithTimeout(context.Background(), grace)
	defer stop()
	if len(c.daemons) == 3 { // all were started
		if c.Command(ctx, "scancel", "--user", strconv.Itoa(c.uid())).Run() == nil {
			_ = c.until(ctx, "jobs run", func() bool {
				jobs, err := c.Jobs(ctx)
				return err != nil || len(jobs) == 0
			})
		}
	}
	for i := len(c.daemons) - 1; i >= 0; i-- {
		d := c.daemons[i]
		_ = d.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		select {
		case <-d.over:
		case <-time.After(grace):
			_ = syscall.Kill(-d.cmd.Process.Pid, syscall.SIGKILL)
			<-d.over
		}
	}
}

func (c *Cluster) uid() int {
	if c.user != nil {
		return int(c.user.Uid)
	}
	return os.Getuid()
}

// Jobs returns the numbers of the array jobs with an element that waits, runs or ends.
func (c *Cluster) Jobs(ctx context.Context) ([]string, error) {
	out, err := c.Command(ctx, "squeue", "-h", "-r", "-o", "%F").Output()
	if err != nil {
		return nil, fmt.Errorf("slurm: squeue: %w:%s", err, c.messages())
	}
	return strings.Fields(string(out)), nil
}
