-- The first products with a name are read in order of the index: an import of many with one name read all of them for each.
create index product_text_alike on product_text (name_key(split_part(key, chr(1), 1)), product_id);
drop index product_text_name;
