// SPDX-License-Identifier: Apache-2.0

package gen

// Lex is for the tests of this folder.
var Lex = lex
