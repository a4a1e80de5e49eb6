// Package plugins replaces the list of service discoveries with which Prometheus is released. The rig's Prometheus finds
// its targets in Kubernetes only. The libraries of the clouds in that list take minutes to compile.
package plugins

import _ "github.com/prometheus/prometheus/discovery/kubernetes"
