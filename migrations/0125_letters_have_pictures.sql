-- A letter's pictures are JPEG, which every mail program shows; a sent one is kept for as long as people read old emails.
alter table pictures add column in_letter boolean not null default false;

alter table picture_files drop constraint picture_files_crop_check;
alter table picture_files add constraint picture_files_crop_check check (crop in ('wide', 'narrow', 'letter'));
comment on table picture_files is 'WebP, and JPEG for letters. Compressed already, so PostgreSQL does not try again.';

alter table studio_messages add column pictures jsonb not null default '[]';
