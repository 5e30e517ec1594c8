import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/** One node with the security plugin, which its home holds: HTTP port, transport port, home. */
public class SecureSearchNode extends Node {
  SecureSearchNode(Environment environment) {
    super(environment, List.of(CommonAnalysisPlugin.class), true);
  }

  public static void main(String[] args) throws Exception {
    var home = Path.of(args[2]);
    var tls = Settings.builder();
    for (var layer : List.of("transport", "http")) {
      var prefix = "plugins.security.ssl." + layer + ".";
      tls.put(prefix + "pemcert_filepath", "node.pem")
          .put(prefix + "pemkey_filepath", "node.key")
          .put(prefix + "pemtrustedcas_filepath", "ca.pem");
    }
    var settings = tls
        .put("cluster.name", "secure-search")
        .put("node.name", "n1")
        .put("http.port", args[0])
        .put("transport.port", args[1])
        .put("network.host", "127.0.0.1")
        .putList("cluster.initial_cluster_manager_nodes", "n1")
        .put("path.home", home.toString())
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .put("plugins.security.ssl.http.enabled", true)
        .put("plugins.security.ssl.transport.enforce_hostname_verification", false)
        .put("plugins.security.allow_default_init_securityindex", true)
        .putList("plugins.security.authcz.admin_dn", "CN=admin")
        .putList("plugins.security.nodes_dn", "CN=node")
        .build();
    new SecureSearchNode(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "n1")).start();
    Thread.currentThread().join();
  }
}
