import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/** One node with the security plugin, which its home holds: home, then its settings as key=value. */
public class SecureSearchNode extends Node {
  SecureSearchNode(Environment environment) {
    super(environment, List.of(CommonAnalysisPlugin.class), true);
  }

  public static void main(String[] args) throws Exception {
    var home = Path.of(args[0]);
    var settings = Settings.builder().put("path.home", home.toString());
    for (var setting : List.of(args).subList(1, args.length)) {
      var parts = setting.split("=", 2);
      if (parts[1].contains(",")) settings.putList(parts[0], parts[1].split(","));
      else settings.put(parts[0], parts[1]);
    }
    new SecureSearchNode(InternalSettingsPreparer.prepareEnvironment(
        settings.build(), Map.of(), home.resolve("config"), () -> "node")).start();
    Thread.currentThread().join();
  }
}
