-- Every order in which people page through products is an index that holds all that finding a page needs (the id, and the
-- node for rights and for a choice of nodes), so that neither the first page nor the ten-thousandth reads rows it does
-- not show. Of a product, the parent is the node.
drop index product_modified;
create index product_modified on product (modified_at, id) include (parent_id) where level = 0;
create index product_by_name on product (name, id) include (parent_id) where level = 0;
alter table product
  drop constraint product_tid,
  add constraint product_tid unique (tid, level) include (id, parent_id);
