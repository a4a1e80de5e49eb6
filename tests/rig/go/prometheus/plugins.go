// Package plugins takes the place of Prometheus' own list of service discoveries: the rig's Prometheus finds its targets
// in Kubernetes, and in none of the clouds whose libraries take minutes to compile.
package plugins

import _ "github.com/prometheus/prometheus/discovery/kubernetes"
