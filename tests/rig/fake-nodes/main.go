// Command fake-nodes plays thousands of nodes, their pods and the trainings in them against a real API server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const help = `usage: fake-nodes --kubeconfig FILE --traces FOLDER [FLAG...]

Registers nodes that are not there, binds the pods with the label slaq.io/job to them, says that these run, and ends
them as a kubelet does. Each training replays the losses of a trace, as fast as its ready workers allow; its chief's pod
says which, by annotations:
  fake-nodes/trace                         CSV file of iteration,loss from iteration 0, below the folder of --traces
  fake-nodes/cpu-seconds-per-iteration     core-seconds of an iteration, shared by all workers
  fake-nodes/serial-seconds-per-iteration  seconds in addition, whatever the number of workers (0)
  fake-nodes/start-seconds                 seconds from its first ready worker until its first iteration begins (0)
  fake-nodes/repeat                        true: it goes on at its last loss; false: it is over at its last iteration (false)
The metrics of all trainings are on /metrics, with the labels of their targets: scrape them with honor_labels.

flags:
`

type options struct {
	kubeconfig, traces, address string
	nodes                       int
	cores                       int64
	parallel                    int
	delays                      Delays
}

// errHelp ends the program as one that did what it was asked for.
var errHelp = errors.New("help was asked for")

func readOptions(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("fake-nodes", flag.ContinueOnError)
	flags.SetOutput(discard{})
	flags.StringVar(&o.kubeconfig, "kubeconfig", os.Getenv("KUBECONFIG"), "`file` that says how to reach the API server")
	flags.StringVar(&o.traces, "traces", "", "`folder` of the traces")
	flags.StringVar(&o.address, "address", "127.0.0.1:9464", "`host:port` of /metrics")
	flags.IntVar(&o.nodes, "nodes", 100, "`number` of nodes")
	flags.Int64Var(&o.cores, "cores", 128, "`cores` of each node")
	flags.IntVar(&o.parallel, "parallel", 64, "`number` of requests at once")
	flags.DurationVar(&o.delays.Start, "start-delay", time.Second, "`time` from a pod's binding until it is ready")
	flags.DurationVar(&o.delays.Stop, "stop-delay", 200*time.Millisecond, "`time` that a pod takes to end after it was told to")
	flags.DurationVar(&o.delays.Resize, "resize-delay", 200*time.Millisecond, "`time` that a resize in place takes")
	err := flags.Parse(arguments)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(help)
		flags.SetOutput(os.Stdout)
		flags.PrintDefaults()
		return o, errHelp
	case err != nil:
		return o, err
	case flags.NArg() > 0:
		return o, fmt.Errorf("%s is no flag", flags.Arg(0))
	case o.kubeconfig == "":
		return o, errors.New("--kubeconfig must be given")
	case o.traces == "":
		return o, errors.New("--traces must be given")
	case o.nodes < 1 || o.cores < 1 || o.parallel < 1:
		return o, errors.New("--nodes, --cores and --parallel must be at least 1")
	}
	return o, nil
}

// discard takes what the flag package would print; the one sentence of an error is printed here.
type discard struct{}

func (discard) Write(text []byte) (int, error) { return len(text), nil }

func main() {
	o, err := readOptions(os.Args[1:])
	if errors.Is(err, errHelp) {
		return
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "fake-nodes: %v (fake-nodes --help lists the flags)\n", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, o); err != nil && ctx.Err() == nil {
		fmt.Fprintf(os.Stderr, "fake-nodes: %v\n", err)
		os.Exit(1)
	}
	slog.Info("stopped")
}

func run(ctx context.Context, o options) error {
	traces, err := newTraces(o.traces)
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(unlimited(config))
	if err != nil {
		return err
	}
	nodes := newNodes(client, o.nodes, o.cores, o.parallel)
	pods := newPods(client, o.delays, traces, newPlacement(nodes.names, o.cores))
	listener, err := net.Listen("tcp", o.address)
	if err != nil {
		return err
	}
	defer serve(listener, pods.trainings).Close()
	if err := nodes.register(ctx); err != nil {
		return err
	}
	slog.Info("nodes registered", "nodes", o.nodes, "cores", o.cores, "metrics", listener.Addr().String())
	go nodes.run(ctx)
	return pods.run(ctx, o.parallel)
}

// unlimited: one process speaks for thousands of kubelets.
func unlimited(config *rest.Config) *rest.Config {
	config.QPS = -1
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	return config
}

func serve(listener net.Listener, trainings *Trainings) *http.Server {
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", trainings)
	routes.HandleFunc("GET /healthz", func(answer http.ResponseWriter, _ *http.Request) { fmt.Fprintln(answer, "ok") })
	server := &http.Server{Handler: routes, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("metrics are not served", "error", err)
		}
	}()
	return server
}
