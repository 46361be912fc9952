-- Chunks stand where they will stay: `place` says where, in words of the store that keeps them. The size of the largest
-- chunk of an upload says where the others belong. Uploads that were under way are to be begun anew.
delete from upload;
alter table upload add column chunk_size bigint not null default 0;
alter table upload_chunk drop column sha256, add column place text not null;
