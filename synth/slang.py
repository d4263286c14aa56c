# SPDX-License-Identifier: Apache-2.0
#
# Reads designs as JSON from standard input, gives them to slang, and writes what it finds
# as JSON: for each design a list of findings. Every design is read twice: with all files
# as one compilation unit, and with each file as one of its own.

import json
import sys

try:
    import pyslang
    from pyslang import analysis, ast, syntax
except ImportError as e:
    sys.exit(f"no slang: {e}")

if sys.argv[1] == "--version":
    print("slang", pyslang.__version__)
    sys.exit()

# Every warning but those that the house style asks for.
OFF = sys.argv[1].split()


def finds(design, single):
    """What slang finds in a design, as a dictionary that keeps the order."""
    sources = pyslang.SourceManager()
    engine = pyslang.DiagnosticEngine(sources)
    engine.setWarningOptions(["everything"] + ["no-" + o for o in OFF])
    options = ast.CompilationOptions()
    if design["top"]:
        options.topModules = {design["top"]}
    options.paramOverrides = [f"{k}={v}" for k, v in sorted((design.get("params") or {}).items())]
    options.flags = ast.CompilationFlags.CheckUninstantiated
    options.languageVersion = pyslang.LanguageVersion.v1800_2017
    options.errorLimit = 0
    bag = pyslang.Bag([options])
    buffers = [sources.assignText(f["name"], f["text"]) for f in design["files"]]
    units = [buffers] if single else [[b] for b in buffers]
    compilation = ast.Compilation(bag)
    for unit in units:
        compilation.addSyntaxTree(syntax.SyntaxTree.fromBuffers(unit, sources, bag))
    diagnostics = list(compilation.getAllDiagnostics())
    compilation.freeze()
    checks = analysis.AnalysisOptions()
    checks.flags = analysis.AnalysisFlags.CheckUnused | analysis.AnalysisFlags.CheckShadow
    manager = analysis.AnalysisManager(checks)
    manager.analyze(compilation)
    diagnostics += manager.getDiagnostics()
    found = {}
    for d in diagnostics:
        if engine.getSeverity(d.code, d.location) == pyslang.DiagnosticSeverity.Ignored:
            continue
        rule = engine.getOptionName(d.code) or str(d.code).removeprefix("DiagCode(").removesuffix(")")
        text = engine.formatMessage(d)
        # What is not used is said to be: it is named so.
        if rule.startswith("unused-") and "'unused" in text:
            continue
        at = d.location
        if sources.isMacroLoc(at):
            at = sources.getFullyExpandedLoc(at)
        known = sources.isFileLoc(at)
        found[
            sources.getFileName(at) if known else "",
            sources.getLineNumber(at) if known else 0,
            sources.getColumnNumber(at) if known else 0,
            rule,
            text,
        ] = True
    return found


def lint(design):
    together, apart = finds(design, True), finds(design, False)
    out = []
    for f in [*together, *(f for f in apart if f not in together)]:
        file, line, column, rule, text = f
        if f not in apart:
            text += "; only where all files are one compilation unit"
        if f not in together:
            text += "; only where each file is a compilation unit of its own"
        out.append({"tool": "slang", "rule": rule, "file": file, "line": line, "column": column, "text": text})
    return out


json.dump([lint(d) for d in json.load(sys.stdin)], sys.stdout)
