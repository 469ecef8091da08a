# SPDX-License-Identifier: LGPL-2.1-only
"""A ReFrame test: the program in src/, with measure.sh and base.json, is not slower on the simulated machine.

    reframe -c reframe_strata.py -r --performance-report
"""
import json
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class SimulatedTimeTest(rfm.RunOnlyRegressionTest):
    descr = "the simulated time is that of base.json"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "./measure.sh"
    executable_opts = ["new.json"]
    postrun_cmds = ["strata compare base.json new.json --tolerance 1%", 'echo "exit code of strata compare: $?"']
    reference = {"*": {"simulated_time": (0, None, None, "s")}}

    @sanity_function
    def not_worse(self):
        return sn.assert_found(r"^exit code of strata compare: 0$", self.stdout)

    @performance_function("s")
    def simulated_time(self):
        with open(os.path.join(self.stagedir, "new.json"), encoding="utf-8") as file:
            return json.load(file)["simulated_time"]["value"]
