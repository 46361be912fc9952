-- How much of a transfer is done, from 0 to 1: of an import by the bytes read, because the rows of a file are not known
-- before its end.
alter table transfer add column share real not null default 0 check (share between 0 and 1);
