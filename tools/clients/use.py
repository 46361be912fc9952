"""Uses the generated models of both JSON forms without a cast. Checked and run by `npm run test:clients`."""

from kontor_client.models.compact_pim_products import CompactPimProducts
from kontor_client.models.compact_product import CompactProduct
from kontor_client.models.compact_vals_type_0 import CompactValsType0
from kontor_client.models.pim_products import PimProducts
from kontor_client.models.product_request import ProductRequest
from kontor_client.types import Unset


def tids_in_compact(reply: CompactPimProducts) -> list[str]:
    products = reply.products
    found = products if isinstance(products, list) else products.product
    if isinstance(found, Unset):
        return []
    return [product.tid for product in found if not isinstance(product.tid, Unset)]


def tids_in_json(reply: PimProducts) -> list[str]:
    found = reply.products.product
    if isinstance(found, Unset):
        return []
    return [product.tid for product in found if not isinstance(product.tid, Unset)]


compact = {"schemaVersion": "5.6.0", "products": [{"tid": "dinghy", "vals": {"length": "48", "colors": ["red"]}}]}
message = CompactPimProducts.from_dict(compact)
assert tids_in_compact(message) == ["dinghy"]
assert message.to_dict() == compact
assert isinstance(message.products, list)
product: CompactProduct = message.products[0]
assert isinstance(product.vals, CompactValsType0)
assert product.vals["length"] == "48"
assert tids_in_json(PimProducts.from_dict({"schemaVersion": "5.6.0", "products": {"product": [{"tid": "a"}]}})) == ["a"]
assert ProductRequest(tids=["dinghy"]).to_dict() == {"tids": ["dinghy"]}
