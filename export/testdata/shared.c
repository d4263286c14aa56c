/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden models of two units in one program: one library has both.
 */
#include <stdio.h>
#include <string.h>

#include "nicgen_reps.h"
#include "nicgen_spray.h"

int main(void) {
    nicgen_reps *a;
    nicgen_spray *b;
    char line[5000], seen[5000] = "";
    int libraries = 0;
    FILE *maps;
    if (nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_MODEL, 1, &a)) return printf("%s\n", nicgen_reps_message(NULL)), 1;
    if (nicgen_spray_new(NICGEN_SPRAY_ABI, NICGEN_MODEL, 1, &b)) return printf("%s\n", nicgen_spray_message(NULL)), 1;
    maps = fopen("/proc/self/maps", "r");
    if (!maps) return 1;
    while (fgets(line, sizeof line, maps)) {
        const char *file = strchr(line, '/');
        if (!file || !strstr(file, "libnicgen_golden.so") || !strcmp(file, seen)) continue;
        strcpy(seen, file);
        libraries++;
    }
    fclose(maps);
    printf("%d\n", libraries);
    nicgen_reps_free(a);
    nicgen_spray_free(b);
    return 0;
}
