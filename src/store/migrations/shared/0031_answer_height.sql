-- A kept answer is given again with the head it was read at (header X-Indexed-Height).

alter table payment add column response_height integer;
