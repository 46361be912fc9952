-- A series of exports sends a product again when its content differs from what the last export wrote. The outbox says which
-- products to compare: those that changes since this transaction can have affected; null: all of them. Transaction ids have no
-- meaning in another database, so a restore leaves them out and the next export compares everything.
alter table transfer_series add column xid xid8;
-- The export that wrote the series last. Not a reference: old exports are deleted, their series stay.
alter table transfer_series add column transfer_id uuid;
-- The requested columns and languages, and the rights of the user: if they change, everything is sent again.
alter table transfer_series add column shape text;
-- The columns of the table, if they were not requested: a value that was removed needs its column.
alter table transfer_series add column headings text[];

-- The digest of the written content; null: unknown, so the product is written again.
alter table transfer_series_item add column digest bytea;
-- Whether the product had links. A deletion at the other end of a link removes it and leaves no other trace.
alter table transfer_series_item add column linked boolean not null default true;
alter table transfer_item add column digest bytea;
alter table transfer_item add column linked boolean not null default true;

-- Exports: the products that were reported as deleted. Imports: rows without a change, and the number of objects by outcome.
alter table transfer add column deleted bigint not null default 0;
alter table transfer add column unchanged bigint not null default 0;
alter table transfer add column objects jsonb;
