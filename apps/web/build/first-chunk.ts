interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * Puts all modules that the first page imports statically into one file, because a dozen small files compress worse.
 * `later` matches modules that the page reaches through a barrel file and does not use.
 */
export function firstChunk(root: string, later: RegExp) {
  let needed: Set<string> | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    needed ??= reachable(`${root}/index.html`, graph);
    return needed.has(id) && !later.test(id) ? 'index' : null;
  };
}

function reachable(entry: string, graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const waiting = [entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
