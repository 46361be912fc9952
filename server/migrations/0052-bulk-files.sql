-- Changes of many files: renaming by a pattern, and links to the products that file names contain.

-- For an object whose name did not lead to one product: the part of the name, and the products that it may mean.
alter table bulk_change_item add column detail jsonb;

-- Products by tid in any case, and the next ones in order.
create index product_text_tid on product_text (split_part(key, chr(1), 2));
