// SPDX-License-Identifier: Apache-2.0

package gen

// Version is nicgen's release. Emitted cores and manifests name it: it does not change
// between releases, so that the same configuration gives the same bytes.
const Version = "0.1.0"
