import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.PimApi;
import org.openapitools.client.model.CompactItems;
import org.openapitools.client.model.CompactPim;
import org.openapitools.client.model.CompactProduct;
import org.openapitools.client.model.Pim;
import org.openapitools.client.model.Product;
import org.openapitools.client.model.ProductRequest;

/** Uses the generated models of both JSON forms without a cast. Compiled by `npm run test:clients`. */
public class Use {
  public static List<String> tidsInJson(PimApi api) throws ApiException {
    Pim reply = api.pimProductsRetrieve(null, null, new ProductRequest().addTidsItem("dinghy"));
    return reply.getProducts().getProduct().stream().map(Product::getTid).toList();
  }

  public static List<String> tidsInCompact(CompactPim reply) {
    return reply.getProducts().getListCompactProduct().stream().map(CompactProduct::getTid).toList();
  }

  public static Map<String, String> metaInCompact(CompactPim reply) {
    CompactItems meta = reply.getMeta();
    return meta.getMapStringString();
  }
}
