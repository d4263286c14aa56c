// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package live

import "fmt"

func openTAP(name string) (Port, error) {
	return nil, fmt.Errorf("port tap:%s: only Linux has TAP devices: use udp:LISTEN,SEND", name)
}
