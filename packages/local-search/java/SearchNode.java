import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.plugins.Plugin;

/** One node of a local search cluster: name, HTTP port, transport port, transport addresses of all, names of all, folder, address. */
public class SearchNode {
  public static void main(String[] args) throws Exception {
    var settings = Settings.builder()
        .put("cluster.name", "local-search")
        .put("node.name", args[0])
        .put("http.port", args[1])
        .put("transport.port", args[2])
        .put("network.host", args[6])
        .putList("discovery.seed_hosts", args[3].split(","))
        .putList("cluster.initial_cluster_manager_nodes", args[4].split(","))
        .put("path.home", args[5])
        // As docs/scale.md has it: a node that is cut off answers nothing.
        .put("cluster.no_cluster_manager_block", "all")
        // A developer's disk may be nearly full.
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
    var plugins = new ArrayList<Class<? extends Plugin>>();
    // Their names differ between the versions.
    plugins.add(find("org.opensearch.analysis.common.CommonAnalysisModulePlugin", "org.opensearch.analysis.common.CommonAnalysisPlugin"));
    plugins.add(find("org.opensearch.transport.Netty4ModulePlugin", "org.opensearch.transport.Netty4Plugin"));
    var name = args[0];
    var node = new OpenSearchRunnerNode(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> name), List.copyOf(plugins));
    node.start();
    Thread.currentThread().join();
  }

  private static Class<? extends Plugin> find(String... names) throws ClassNotFoundException {
    for (var name : names) {
      try {
        return Class.forName(name).asSubclass(Plugin.class);
      } catch (ClassNotFoundException absent) {
        // Of the other version.
      }
    }
    throw new ClassNotFoundException(String.join(" or ", names));
  }
}
