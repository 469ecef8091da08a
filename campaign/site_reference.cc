// SPDX-License-Identifier: LGPL-2.1-only
#include "base/key_reference.h"
#include "campaign/site.h"

namespace strata::campaign {

std::string site_reference() {
  return R"(# Site files

<!-- Generated from the table in campaign/; do not edit. `tools/regenerate-docs --reference` makes it again. -->

A site file says what `strata submit` needs to know of a cluster ([clusters.md](../clusters.md)). It reads
`~/.config/strata/site.yaml`, or the file that `--site` names. Options of the command line replace what the file says.
`schemas/site.schema.json` is the same as a JSON Schema, for editors and validators.

```yaml
schema: strata.site/1
partition: compute
account: project17
time: 04:00:00
prologue: [module load gcc/12]
sbatch: [--mem=4G]
staged: true
```

## File

)" + reference_of(rows_of(site_keys()), false);
}

std::string site_schema() {
  return schema_of("A site of Strata (strata.site/1)",
                   "What `strata submit` needs to know of a cluster. docs/reference/site.md has the same for people.",
                   rows_of(site_keys()));
}

}  // namespace strata::campaign
