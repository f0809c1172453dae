-- An active class is not kept off by a closure: opening the days again must not bring it back after the owner takes it off.
delete from closed_classes where class_id in (select id from classes where is_active);
